import {
  ChartColumn,
  History,
  Inbox,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  ScrollText,
  Server,
  Settings,
  ShieldCheck,
} from "lucide-react"
import type { PlacePath } from "./places.ts"

export const placeIcons = {
  "/": Inbox,
  "/activity": History,
  "/permissions": KeyRound,
  "/sessions": MessagesSquare,
  "/servers": Server,
  "/policy": ScrollText,
  "/insight": ChartColumn,
  "/audit": ShieldCheck,
  "/settings": Settings,
} as const satisfies Record<PlacePath, LucideIcon>
