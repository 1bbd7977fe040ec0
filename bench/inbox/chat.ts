/** The chat page in Chromium: the numbers of the suites `chat-long` and `chat-tokens`. */
import { measureSuites } from "./measure-suites.ts"

/** By `apart`. */
export const measureChat = () => measureSuites(["chat-long", "chat-tokens"])
