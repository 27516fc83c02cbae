import type { ReactNode } from 'react'
import { usePageTitle } from '../lib/format/page-title.ts'
import { PageBoundary } from './error-page.tsx'
import { RequireRole } from './require-role.tsx'
import { Shell } from './shell/shell.tsx'

/** A page of the staff's own beside the dashboard's rooms. */
export function AdminPage({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title)
  return (
    <Shell current={null}>
      <PageBoundary>
        <RequireRole role="staff">
          <div className="mx-auto max-w-[1180px]">{children}</div>
        </RequireRole>
      </PageBoundary>
    </Shell>
  )
}
