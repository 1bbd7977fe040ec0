/** Opens what `open` opens, and closes all of it. Each test file gives `closeAll` to its own `afterEach`. */
export function opening<Args extends readonly unknown[], Opened extends { readonly close: () => Promise<unknown> }>(
  openOne: (...args: Args) => Promise<Opened>,
): { readonly open: (...args: Args) => Promise<Opened>; readonly closeAll: () => Promise<void> } {
  const opened: Opened[] = []
  return {
    open: async (...args) => {
      const one = await openOne(...args)
      opened.push(one)
      return one
    },
    closeAll: async () => {
      for (const one of opened.splice(0)) await one.close()
    },
  }
}
