/** Where a one-time link leads: to the address that has proved to be the service, whatever its answer says. In the fragment, which browsers send to nobody. */
export function signInAddress(proven: string, link: string): string {
  return new URL(`/sign-in#${encodeURIComponent(link)}`, proven).href
}
