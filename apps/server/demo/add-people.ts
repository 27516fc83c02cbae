import type { User } from '@pegasus/contracts/users/users'
import type { Actor } from '../src/platform/actor.ts'
import { call, signedInAs } from './call.ts'
import { DEMO_PEOPLE, type DemoPerson, passwordOf } from './people.ts'
import type { Shop } from './shop.ts'

export type DemoActors = ReadonlyMap<DemoPerson['username'], Actor>

/** Creates the missing accounts, as the owner would. Returns all accounts as actors. */
export async function addPeople(shop: Shop, ownerPassword: string): Promise<DemoActors> {
  const owner = { username: 'owner', password: ownerPassword }
  const known = () => shop.database.sql<{ id: string; username: string }[]>`select id, username from people`
  const missing = async (): Promise<DemoPerson[]> => {
    const names = new Set((await known()).map(({ username }) => username))
    return DEMO_PEOPLE.filter(({ username }) => !names.has(username))
  }
  const wanted = await missing()
  if (wanted.length > 0)
    await signedInAs(shop, owner, async (headers) => {
      for (const { username, fullName, email } of wanted) {
        const payload = { username, email, full_name: fullName, role: username, password: passwordOf(shop) }
        await call<User>(shop, { method: 'POST', url: '/api/auth/users', payload, headers })
      }
    })
  await nameOwner(shop)
  const ids = new Map((await known()).map(({ id, username }) => [username, id]))
  return new Map(
    DEMO_PEOPLE.map(({ username, fullName }) => [
      username,
      { kind: 'user', id: ids.get(username) ?? null, name: fullName },
    ]),
  )
}

/** Gives a person's name to the first account, which the server calls "Owner". */
async function nameOwner({ database }: Shop): Promise<void> {
  const fullName = DEMO_PEOPLE.find(({ username }) => username === 'owner')?.fullName ?? ''
  await database.sql`
    update profiles set full_name = ${fullName}
    where full_name = 'Owner' and account_id = (select id from people where username = 'owner')`
}
