import { AppError } from '../../../platform/errors/app-error.ts'
import { type CsvRows, readItemRows } from './read-item-rows.ts'

/**
 * The rows of a file, or the message of a TABLE_REJECTED error. The worker returns the message, because an error that
 * passes between threads loses its class.
 */
export type CsvResult = { table: CsvRows } | { rejection: string }

/** Parses a CSV file. Runs in a worker thread. */
export default function read(bytes: Uint8Array): CsvResult {
  try {
    return { table: readItemRows(bytes) }
  } catch (error) {
    if (error instanceof AppError) return { rejection: error.text }
    throw error
  }
}
