export {
  type AllowFile,
  type ClientProgram,
  clientPrograms,
  type FilePlace,
  type ServerFile,
} from "./client-programs.ts"
export { type ClientServer, type ClientServerKind, clientServersIn } from "./client-servers.ts"
export { fileSyntaxes } from "./file-syntax.ts"
export { allowServers, type GatedServer, gateServers, type TokenText } from "./gate-servers.ts"
export { movedServer } from "./moved-server.ts"
export type { SetupChange } from "./setup-change.ts"
export { takeBack } from "./take-back.ts"
export { takenVariables } from "./taken-variables.ts"
export type { WrapCommand } from "./wrap-command.ts"
