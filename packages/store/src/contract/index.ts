export type { ContractPorts, CountedRows, OpenedStore, OpenStore } from "./contract-kit.ts"
export {
  allowedCall,
  change,
  denied,
  document,
  draft,
  grant,
  hold,
  move,
  pending,
  start,
  succeeded,
} from "./samples.ts"
export type { ContractOptions } from "./store-contract.ts"
export { storeContract } from "./store-contract.ts"
