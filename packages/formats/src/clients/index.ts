export {
  type AllowFile,
  type ClientProgram,
  clientPrograms,
  type FilePlace,
  type ServerFile,
} from "./client-programs.ts"
export { type ClientServer, clientServersIn } from "./client-servers.ts"
export { fileSyntaxes, type SyntaxName } from "./file-syntax.ts"
export { allowServers, type GatedServer, gateServers, type TokenText } from "./gate-servers.ts"
export { type MovedServer, movedServer } from "./moved-server.ts"
export type { ChangedFile, SetupChange } from "./setup-change.ts"
export { type TakenBack, takeBack } from "./take-back.ts"
