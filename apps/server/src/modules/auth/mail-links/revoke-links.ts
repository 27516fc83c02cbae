import type { Queryable } from '../../../platform/database/database.ts'
import { hashToken } from './one-time-tokens.ts'

/** Returns the token in a mailed link, or null if the link only leads to a page. */
function tokenOf(link: string): string | null {
  return URL.canParse(link) ? new URL(link).searchParams.get('token') : null
}

/** Returns which links have been used, have expired, or were replaced by a later link. */
export async function findEndedLinks(
  sql: Queryable,
  links: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const hashes = new Map<string, string>()
  for (const link of links) {
    const token = tokenOf(link)
    if (token !== null) hashes.set(link, hashToken(token))
  }
  const rows = await sql<{ token_hash: string }[]>`
    select token_hash from one_time_tokens
    where token_hash = any(${[...hashes.values()]}::text[]) and expires_at > ${now}`
  const open = new Set(rows.map((row) => row.token_hash))
  return new Set([...hashes].filter(([, hash]) => !open.has(hash)).map(([link]) => link))
}
