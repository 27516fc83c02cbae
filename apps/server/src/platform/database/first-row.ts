/** Returns the first row of a query, or null if there is none. */
export const firstRow = async <Row>(rows: PromiseLike<readonly Row[]>): Promise<Row | null> =>
  (await rows)[0] ?? null
