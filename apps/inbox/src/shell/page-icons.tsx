import {
  ChartColumn,
  History,
  Inbox,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Route,
  ScrollText,
  Server,
  Settings,
  ShieldCheck,
} from "lucide-react"
import type { PagePath } from "./page-links.ts"

export const pageIcons = {
  "/": Inbox,
  "/activity": History,
  "/permissions": KeyRound,
  "/sessions": MessagesSquare,
  "/runs": Route,
  "/servers": Server,
  "/policy": ScrollText,
  "/insight": ChartColumn,
  "/audit": ShieldCheck,
  "/settings": Settings,
} as const satisfies Record<PagePath, LucideIcon>
