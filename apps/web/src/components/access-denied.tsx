import { Lock } from 'lucide-react'
import { EmptyState } from './ui/feedback/empty-state.tsx'

/** Shown to people whose role is too low for the page. */
export function AccessDenied() {
  return (
    <div className="grid min-h-80 place-items-center p-4">
      <EmptyState
        titleLevel={1}
        icon={<Lock size={24} strokeWidth={1.6} aria-hidden />}
        title="Access Denied"
      >
        <p>You don't have permission to access this area.</p>
        <p className="mt-0.5 text-label text-ink-3">
          Contact your administrator if you believe this is an error.
        </p>
      </EmptyState>
    </div>
  )
}
