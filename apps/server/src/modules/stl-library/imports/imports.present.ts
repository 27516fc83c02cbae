import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { displayPath } from '../upload/file-name.ts'
import type { ImportRow } from './imports.queries.ts'

/** Converts an import to the API format, without internal fields. */
export function presentImport(row: ImportRow): ModelImport {
  const { account_id: _owner, object_key: _key, fields: _fields, fetched_at: _fetched, ...shown } = row
  const entries = row.entries?.map((entry) => ({ ...entry, name: displayPath(entry.name) })) ?? null
  return { ...shown, entries }
}
