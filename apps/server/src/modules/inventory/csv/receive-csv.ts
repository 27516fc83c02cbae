import { MAX_CSV_BYTES, importInventoryFields } from '@pegasus/contracts/inventory/csv'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { AppError } from '../../../platform/errors/app-error.ts'

const LIMITS = { fileSize: MAX_CSV_BYTES, files: 1, fields: 20, fieldSize: 1000, fieldNameSize: 100 }

export interface CsvUpload {
  isDryRun: boolean
  bytes: Uint8Array
}

async function readParts(
  request: FastifyRequest,
): Promise<{ fields: Map<string, string>; file: Buffer | null }> {
  const fields = new Map<string, string>()
  let file: Buffer | null = null
  // Check this first: if the client has already disconnected, no further event occurs, and the parser would wait
  // forever.
  if (request.raw.destroyed) throw new Error('premature close')
  for await (const part of request.parts({ limits: LIMITS }))
    if (part.type === 'field') fields.set(part.fieldname, String(part.value))
    else {
      const bytes = await part.toBuffer()
      if (part.fieldname === 'file') file = bytes
    }
  return { fields, file }
}

/**
 * Returns whether an error is expected. The form parser's errors for a large or invalid form have a code or a
 * status.
 */
const isKnown = (error: unknown): boolean =>
  error instanceof AppError || (error instanceof Error && ('statusCode' in error || 'code' in error))

/**
 * Receives a form with a CSV file and options. Throws TABLE_MISSING, PAYLOAD_TOO_LARGE, INVALID_INPUT or
 * MALFORMED_REQUEST.
 */
export async function receiveCsv(request: FastifyRequest): Promise<CsvUpload> {
  const form = await readParts(request).catch((cause: unknown) => {
    if (isKnown(cause)) throw cause
    throw new AppError('MALFORMED_REQUEST', {
      text: 'The upload was interrupted. Please send it again.',
      cause,
    })
  })
  const fields = z.safeParse(importInventoryFields, Object.fromEntries(form.fields))
  if (!fields.success) {
    const errors = fields.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
    throw new AppError('INVALID_INPUT', { text: errors[0]?.message ?? 'Not acceptable.', errors })
  }
  if (form.file === null || form.file.length === 0) throw new AppError('TABLE_MISSING')
  return { isDryRun: fields.data.dry_run, bytes: form.file }
}
