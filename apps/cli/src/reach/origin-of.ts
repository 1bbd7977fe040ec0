/** Returns the origin of an address, which the service must answer for. */
export function originOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined
}
