import type { Role } from '@pegasus/contracts/roles'

/**
 * The password of all accounts. It is printed at every start, because visitors of the demo sign in with these
 * accounts.
 */
export const DEMO_PASSWORD = 'print-more-things'

/** Returns the password of all accounts of a shop. */
export const passwordOf = ({ password = DEMO_PASSWORD }: { password?: string }): string => password

export interface DemoPerson {
  username: Role
  fullName: string
  email: string
}

/** One account for each role. The owner is the first account of every shop. */
export const DEMO_PEOPLE: readonly DemoPerson[] = [
  { username: 'owner', fullName: 'Zofia Wójcik', email: 'zofia@hangar7.example' },
  { username: 'admin', fullName: 'Maximiliane von Hohenberg', email: 'maximiliane@hangar7.example' },
  { username: 'staff', fullName: 'Tomáš Novák', email: 'tomas@hangar7.example' },
  { username: 'employee', fullName: 'Keisuke Yamanaka', email: 'keisuke@hangar7.example' },
  { username: 'viewer', fullName: 'Amina El-Haddad', email: 'amina@hangar7.example' },
]
