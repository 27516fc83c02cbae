import type { ListedFile, ListedRow, ObjectRow } from './media.queries.ts'

/** Converts a stored file to the JSON format of the hosted service. */
export const presentInfo = (row: ObjectRow) => ({
  id: row.id,
  name: row.name,
  version: row.version,
  bucket_id: row.bucket_id,
  size: row.size_bytes,
  content_type: row.content_type,
  cache_control: row.cache_control,
  etag: `"${row.sha256}"`,
  metadata: row.user_metadata ?? {},
  last_modified: row.updated_at,
  created_at: row.created_at,
})

/** Returns a list entry for a file or folder. For a folder, every field except the name is null. */
export function presentListed(row: ListedRow) {
  if (row.id === null)
    return {
      name: row.name,
      id: null,
      updated_at: null,
      created_at: null,
      last_accessed_at: null,
      metadata: null,
    }
  return presentListedFile(row)
}

export const presentListedFile = (row: ListedFile) => ({
  name: row.name,
  id: row.id,
  updated_at: row.updated_at,
  created_at: row.created_at,
  last_accessed_at: row.updated_at,
  metadata: {
    eTag: `"${row.sha256}"`,
    size: row.size_bytes,
    mimetype: row.content_type,
    cacheControl: row.cache_control,
    lastModified: row.updated_at,
    contentLength: row.size_bytes,
    httpStatusCode: 200,
  },
})
