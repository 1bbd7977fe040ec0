/** A title that counts the calls a paused run still waits for. */
export function waitingTitle(waiting: number, all: number): string {
  if (waiting === 0) return "Everything is decided; the run continues"
  const calls = waiting === 1 ? "1 call needs" : `${waiting} calls need`
  return waiting === all ? `${calls} your approval` : `${calls} your approval, ${all - waiting} of ${all} decided`
}
