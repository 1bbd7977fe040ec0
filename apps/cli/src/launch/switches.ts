import { type LaunchSwitch, launchSwitches } from "@byleave/api"

/** Tells a `wrap` that the launched program starts with which switches that program was given. Shown to people; decides nothing. */
export const switchesVariable = "BYLEAVE_SWITCHES"

export function switchesIn(env: ReadonlyMap<string, string>): readonly LaunchSwitch[] {
  const given = new Set((env.get(switchesVariable) ?? "").split(" "))
  return launchSwitches.filter((each) => given.has(each))
}
