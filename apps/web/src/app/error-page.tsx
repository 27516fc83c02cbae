import { TriangleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { useRouteError } from 'react-router'
import { Button, buttonClass } from '../components/ui/button.tsx'
import { EmptyState } from '../components/ui/empty-state.tsx'

/** The browser's words when a part of the app could not be fetched; each browser has its own. */
const LOAD_FAILURE = /dynamically imported module|importing a module script failed|load module script/i

const isLoadFailure = (error: unknown): boolean =>
  error instanceof TypeError && LOAD_FAILURE.test(error.message)

function BrokenView({ error, children }: { error: unknown; children?: ReactNode }) {
  const isOffline = isLoadFailure(error)
  return (
    <div role="alert" className="grid min-h-80 place-items-center p-4">
      <EmptyState
        titleLevel={1}
        icon={<TriangleAlert size={24} strokeWidth={1.6} aria-hidden />}
        title={isOffline ? 'The server cannot be reached' : 'This page ran into an error'}
        actions={
          <>
            <Button variant="primary" onClick={() => location.reload()}>
              {isOffline ? 'Try again' : 'Reload'}
            </Button>
            {children}
          </>
        }
      >
        <p>
          {isOffline
            ? 'This part of the app could not be loaded. Check the connection; nothing that was saved is lost.'
            : 'Nothing that was saved is lost. Reloading usually helps.'}
        </p>
      </EmptyState>
    </div>
  )
}

/** In place of everything, when what failed is outside of any room. */
export function ErrorPage() {
  const error = useRouteError()
  return (
    <main className="min-h-dvh">
      <BrokenView error={error}>
        <a href="/" className={buttonClass()}>
          Go to the dashboard
        </a>
      </BrokenView>
    </main>
  )
}

/** Keeps a fault in one room from taking the header away; give it a `key` per room. */
export class RoomBoundary extends Component<{ children: ReactNode }, { failure: { error: unknown } | null }> {
  override state: { failure: { error: unknown } | null } = { failure: null }

  static getDerivedStateFromError(error: unknown): { failure: { error: unknown } } {
    return { failure: { error } }
  }

  override render() {
    const { failure } = this.state
    return failure ? <BrokenView error={failure.error} /> : this.props.children
  }
}
