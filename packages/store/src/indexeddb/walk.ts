/** Goes through rows in the order of an index or table until it is told to stop. */
export function walk<Row>(
  source: IDBIndex | IDBObjectStore,
  range: IDBKeyRange | null,
  direction: IDBCursorDirection,
  visit: (row: Row, cursor: IDBCursorWithValue) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = source.openCursor(range, direction)
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const cursor = request.result
      if (cursor === null) return resolve()
      try {
        if (visit(cursor.value as Row, cursor)) cursor.continue()
        else resolve()
      } catch (error) {
        reject(error)
      }
    }
  })
}
