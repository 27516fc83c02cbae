import { hasRole, type Role } from '@pegasus/contracts/roles'
import type { ReactNode } from 'react'
import { AccessDenied } from '../components/access-denied.tsx'
import { useSession } from '../lib/session/session.ts'
import { LoadingView } from './loading-view.tsx'

interface RequireRoleProps {
  /** The lowest role that may see the children. */
  role: Role
  /** Shown instead of the access-denied view to people whose role is too low. */
  fallback?: ReactNode
  children: ReactNode
}

export function RequireRole({ role, fallback = <AccessDenied />, children }: RequireRoleProps) {
  const { status, user } = useSession()
  if (status === 'loading') return <LoadingView />
  return hasRole(user?.role, role) ? children : fallback
}
