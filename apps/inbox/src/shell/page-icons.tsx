import {
  ChartColumn,
  History,
  Inbox,
  KeyRound,
  type LucideIcon,
  MessageCircle,
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
  "/chat": MessageCircle,
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
