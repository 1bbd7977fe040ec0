/** The announcement of new calls to screen readers. */
export function arrivalWords(arrived: number, waiting: number): string {
  const came = arrived === 1 ? "1 new call waiting" : `${arrived} new calls waiting`
  return waiting > arrived ? `${came}, ${waiting} in total.` : `${came}.`
}
