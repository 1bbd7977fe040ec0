export type { ContractPorts, CountedRows, OpenStore, StoreUnderTest } from "./contract-kit.ts"
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
