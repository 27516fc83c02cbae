import type { Queryable } from './database.ts'

/**
 * Runs a part of a transaction. If the part throws, its changes are undone and its error is thrown, and the transaction
 * can continue.
 */
export async function withSavepoint<Result>(tx: Queryable, part: () => Promise<Result>): Promise<Result> {
  await tx.unsafe('savepoint part')
  try {
    return await part()
  } catch (error) {
    await tx.unsafe('rollback to savepoint part')
    throw error
  }
}
