import type { ReactNode } from 'react'
import { usePageTitle } from '../lib/format/page-title.ts'
import { PageBoundary } from './error-page.tsx'
import { RequireRole } from './require-role.tsx'
import { Shell } from './shell/shell.tsx'

/** The frame of a staff page outside the dashboard's tabs. */
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
