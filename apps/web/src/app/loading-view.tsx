import { Spinner } from '../components/ui/feedback/spinner.tsx'

/** Shown while a guard inside the app checks access. */
export function LoadingView() {
  return (
    <div role="status" className="flex min-h-80 items-center justify-center gap-2.5 text-ink-2">
      <Spinner />
      Loading...
    </div>
  )
}
