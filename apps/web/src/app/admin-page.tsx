import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '../components/ui/button.tsx'
import { LogoMark } from '../components/ui/logo.tsx'
import { RoomBoundary } from './error-page.tsx'
import { RequireRole } from './require-role.tsx'

/** A page of the staff's own beside the dashboard, with the way back. */
export function AdminPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <header className="sticky top-0 z-20 border-b border-line bg-surface">
        <div className="mx-auto flex h-14 max-w-[1180px] items-center gap-3 px-4 sm:px-6">
          <LogoMark />
          <h1 className="truncate text-page font-[620]">{title}</h1>
          <Link to="/admin" className={`${buttonClass()} ml-auto`}>
            <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
            Back to Admin
          </Link>
        </div>
      </header>
      <main className="mx-auto max-w-[1180px] p-4 sm:px-6 sm:pt-5 sm:pb-8">
        <RoomBoundary>
          <RequireRole role="staff">{children}</RequireRole>
        </RoomBoundary>
      </main>
    </>
  )
}
