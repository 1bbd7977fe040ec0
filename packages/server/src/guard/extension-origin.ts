/** The origin of a browser extension, as Chrome sends it. */
const extension = /^chrome-extension:\/\/[a-p]{32}$/

export function isExtensionOrigin(origin: string | null): origin is string {
  return origin !== null && extension.test(origin)
}
