import type { User } from '@supabase/auth-js'
import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import { permissionsOf } from '@pegasus/contracts/roles'
import type { TokenClaims } from './access-token.ts'

/** Returns the account of a session whose role could not be looked up. It has the rights of a viewer. */
export function viewerDefaults({ user }: { user: User }, claims: TokenClaims): CurrentUser {
  const email = user.email ?? ''
  return {
    id: user.id,
    email,
    username: email,
    full_name: '',
    role: 'viewer',
    permissions: permissionsOf('viewer'),
    metadata: {},
    isActive: true,
    system_access: false,
    last_login: user.last_sign_in_at ?? null,
    password_change_required: false,
    has_password: true,
    sso_managed: false,
    new_email: null,
    second_factor: claims.isSecondFactorProved,
    second_factor_setup_required: false,
    revision: 0,
  }
}

/**
 * Returns whether a response is an account. A proxy or the sign-in of a guest network may answer with JSON of its own.
 * Fields are not checked one by one, because an older server may lack the newest ones.
 */
export const isAccount = (answer: unknown): answer is CurrentUser =>
  typeof answer === 'object' &&
  answer !== null &&
  'id' in answer &&
  typeof answer.id === 'string' &&
  'role' in answer &&
  typeof answer.role === 'string'
