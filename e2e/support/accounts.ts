import { ROLES, type Role } from '@pegasus/contracts/roles'
import { OWNER } from './harness.ts'

export interface SignedInAccount {
  id: string
  role: Role
  /** Access token for direct calls. */
  token: string
  /** The localStorage entries of the session. A browser context that has them is signed in. */
  localStorage: Array<{ name: string; value: string }>
}

export type Staff = Readonly<Record<Role, SignedInAccount>>

/** A session as the auth service returns it and the web app stores it. */
interface Session {
  access_token: string
  user: { id: string }
}

const PASSWORD = 'seven grey pelicans'

/** Full names that are hard to display: from right to left, with accents, or too long for the space. */
const FULL_NAMES: Readonly<Partial<Record<Role, string>>> = {
  viewer: 'محمد العلي',
  employee: 'Ó Súilleabháin',
  staff: 'Wilhelmina Featherstonehaugh-Cholmondeley von und zu Hohenstaufen',
}

/** Adds a signed-in account for each role to a server that has only its owner. */
export async function hireStaff(url: string): Promise<Staff> {
  const owner = await signIn(url, 'owner', OWNER.email, OWNER.password)
  const hired = await Promise.all(
    ROLES.filter((role) => role !== 'owner').map(async (role): Promise<[Role, SignedInAccount]> => {
      const email = `${role}@example.com`
      const account = { email, username: role, role, password: PASSWORD, full_name: FULL_NAMES[role] ?? '' }
      await post(`${url}/api/auth/users`, account, bearer(owner))
      return [role, await signIn(url, role, email, PASSWORD)]
    }),
  )
  return { ...Object.fromEntries(hired), owner } as Staff
}

/**
 * Adds an account that has signed up and confirmed its email address, and an invited account. Returns the id of the
 * account that waits for approval.
 */
export async function welcomeNewcomers(url: string, owner: SignedInAccount): Promise<{ waitingId: string }> {
  const walkIn = { email: 'walk-in@example.com', password: PASSWORD, data: { full_name: 'Wanda Walk-In' } }
  await post(`${url}/auth/v1/signup`, walkIn)
  const [mail] = await get<{ links: string[] }[]>(`${url}/api/outbox-mails`, bearer(owner))
  await fetch(mail?.links[0] ?? '', { redirect: 'manual' })
  const invited = { email: 'invited@example.com', username: 'invited', role: 'staff' }
  await post(`${url}/api/auth/users`, invited, bearer(owner))
  const [waiting] = await get<{ id: string }[]>(`${url}/api/auth/users?status=waiting`, bearer(owner))
  return { waitingId: waiting?.id ?? '' }
}

export async function signIn(
  url: string,
  role: Role,
  email: string,
  password: string,
): Promise<SignedInAccount> {
  const session = await post<Session>(`${url}/auth/v1/token?grant_type=password`, { email, password })
  return {
    id: session.user.id,
    role,
    token: session.access_token,
    localStorage: browserKeeps(session),
  }
}

/** Returns the localStorage entries from which the web app restores a session. */
const browserKeeps = (session: Session): SignedInAccount['localStorage'] => [
  { name: 'token', value: session.access_token },
  { name: 'pegasus-ops-auth', value: JSON.stringify(session) },
]

export const bearer = ({ token }: Pick<SignedInAccount, 'token'>) => ({ authorization: `Bearer ${token}` })

/** Calls the server directly, and returns the created object. */
export async function post<T>(url: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

export async function get<T>(url: string, headers: Record<string, string>): Promise<T> {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
