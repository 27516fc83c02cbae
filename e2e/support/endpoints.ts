import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '@pegasus/contracts/endpoint'
import { hasRole, type Role } from '@pegasus/contracts/roles'
import { inProject } from '../../scripts/boot/project.mjs'

/** Returns all endpoint declarations of the server. Tests use them in place of a list that could be incomplete. */
async function readEndpoints(): Promise<Endpoint[]> {
  const folder = inProject('packages', 'contracts', 'src')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const modules = await Promise.all(names.map((name): Promise<object> => import(join(folder, name))))
  return modules.flatMap((each) => Object.values(each).filter(isEndpoint))
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Returns the short form of an endpoint for tables, such as `POST /api/stl-files/upload`. */
export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/** Returns the endpoints that a role may not call. Endpoints for API keys are left out. */
export async function findForbidden(role: Role): Promise<Endpoint[]> {
  const endpoints = await readEndpoints()
  return endpoints.filter(({ access }) => {
    const people = typeof access === 'object' ? access.people : access
    return (people === 'staff' || people === 'admin' || people === 'owner') && !hasRole(role, people)
  })
}
