/** A number for each row, 0 where none was set. Numbers in a row of their own take a tenth of what objects do. */
export interface Column {
  at(row: number): number
  set(row: number, value: number): void
}

export function createColumn(): Column {
  let values = new Float64Array(1024)
  return {
    at: (row) => values[row] ?? 0,
    set(row, value) {
      if (row >= values.length) {
        const grown = new Float64Array(2 ** Math.ceil(Math.log2(row + 1)))
        grown.set(values)
        values = grown
      }
      values[row] = value
    },
  }
}
