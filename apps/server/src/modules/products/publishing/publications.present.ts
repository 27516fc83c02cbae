import { type Publication, PUBLISHED_LOCALLY } from '@pegasus/contracts/products/publishing'
import { actorOfColumns } from '../../../platform/actor.ts'
import { LOCAL_TARGET, type PublicationRow } from './publications.queries.ts'

const messageOf = (row: PublicationRow): string | null => {
  if (row.status === 'failed') return row.response_text
  return row.status === 'published' && row.target === LOCAL_TARGET ? PUBLISHED_LOCALLY : null
}

/** Converts a publication to the API format. Its key and payload never leave the server. */
export const presentPublication = (row: PublicationRow): Publication => ({
  id: row.id,
  number: row.number,
  target: row.target === LOCAL_TARGET ? 'local' : 'main_site',
  status: row.status,
  tries: row.tries,
  http_status: row.http_status,
  message: messageOf(row),
  actor: actorOfColumns(row),
  created_at: row.created_at,
  sent_at: row.sent_at,
  finished_at: row.finished_at,
})
