import type { User } from '@pegasus/contracts/users/users'
import type { OutboxMail } from '@pegasus/contracts/mail'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { bearer } from './product-process.ts'
import { type Acknowledged, sha256Of } from './write-load.ts'

/**
 * Differences between the data that the server returns and the data that it confirmed, as one text for each difference.
 */
export interface Damage {
  /** Confirmed data that is missing or was changed. */
  lost: string[]
  /** Incomplete data that the server shows. */
  halves: string[]
}

/** Returns the items on all pages of a list. */
export async function listAll<T>(url: string, path: string, token: string): Promise<T[]> {
  const items: T[] = []
  for (let next: string | undefined = `${path}?limit=1000`; next !== undefined; ) {
    const response: Response = await fetch(`${url}${next}`, { headers: bearer(token) })
    if (response.status !== 200) throw new Error(`${next}: ${response.status} ${await response.text()}`)
    items.push(...((await response.json()) as T[]))
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return items
}

/**
 * Compares the data that the server returns with the data that it confirmed. The bytes of a model are fetched only if
 * its id is not in `verified`, and its id is then added.
 */
export async function findDamage(
  url: string,
  token: string,
  acknowledged: Acknowledged,
  verified: Set<string>,
): Promise<Damage> {
  const damage: Damage = { lost: [], halves: [] }
  await checkModels(url, token, acknowledged, verified, damage)
  await checkAccounts(url, token, acknowledged, damage)
  await checkSessions(url, acknowledged, damage)
  return damage
}

async function checkModels(
  url: string,
  token: string,
  { models }: Acknowledged,
  verified: Set<string>,
  damage: Damage,
): Promise<void> {
  const listed = new Map(
    (await listAll<Model>(url, '/api/stl-files', token)).map((model) => [model.id, model]),
  )
  for (const [id, sha256] of models) {
    const found = listed.get(id)
    if (found?.sha256 !== sha256) damage.lost.push(`model ${id}: ${found ? 'other bytes' : 'not listed'}`)
  }
  for (const { id, sha256, file_size: sizeBytes } of listed.values()) {
    if (verified.has(id)) continue
    const response = await fetch(`${url}/api/stl-files/${id}/file`, { headers: bearer(token) })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.status !== 200 || bytes.byteLength !== sizeBytes || sha256Of(bytes) !== sha256)
      damage.halves.push(`model ${id}: ${response.status}, ${bytes.byteLength} of ${sizeBytes} bytes`)
    verified.add(id)
  }
}

async function checkAccounts(
  url: string,
  token: string,
  { accounts }: Acknowledged,
  damage: Damage,
): Promise<void> {
  const users = await listAll<User>(url, '/api/auth/users', token)
  const mails = await listAll<OutboxMail>(url, '/api/outbox-mails', token)
  const listed = new Set(users.map((user) => user.id))
  const emails = new Set(users.map((user) => user.email))
  const invited = new Set(mails.map((mail) => mail.to))
  for (const [id, email] of accounts) {
    if (!listed.has(id)) damage.lost.push(`account ${id}`)
    if (!invited.has(email)) damage.lost.push(`invitation of ${id}`)
  }
  for (const user of users) {
    const isWhole = user.role === 'owner' || (user.role === 'viewer' && invited.has(user.email))
    if (!isWhole) damage.halves.push(`account ${user.id}: ${user.role}, mail ${invited.has(user.email)}`)
  }
  for (const to of invited) if (!emails.has(to)) damage.halves.push(`mail to nobody: ${to}`)
}

async function checkSessions(
  url: string,
  { signedIn, signedOut }: Acknowledged,
  damage: Damage,
): Promise<void> {
  const statusOf = async (own: string): Promise<number> => {
    const response = await fetch(`${url}/api/auth/me`, { headers: bearer(own) })
    await response.arrayBuffer()
    return response.status
  }
  for (const own of signedIn) {
    const status = await statusOf(own)
    if (status !== 200) damage.lost.push(`sign-in: ${status}`)
  }
  for (const own of signedOut) {
    const status = await statusOf(own)
    if (status !== 401) damage.lost.push(`sign-out: ${status}`)
  }
}
