import { TriangleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { Button, buttonClass } from '../components/ui/button.tsx'
import { EmptyState } from '../components/ui/empty-state.tsx'

function BrokenView({ children }: { children?: ReactNode }) {
  return (
    <div role="alert" className="grid min-h-80 place-items-center p-4">
      <EmptyState
        titleLevel={1}
        icon={<TriangleAlert size={24} strokeWidth={1.6} aria-hidden />}
        title="This page ran into an error"
        actions={
          <>
            <Button variant="primary" onClick={() => location.reload()}>
              Reload
            </Button>
            {children}
          </>
        }
      >
        <p>Nothing that was saved is lost. Reloading usually helps.</p>
      </EmptyState>
    </div>
  )
}

/** In place of everything, when what failed is outside of any room. */
export function ErrorPage() {
  return (
    <main className="min-h-dvh">
      <BrokenView>
        <a href="/" className={buttonClass()}>
          Go to the dashboard
        </a>
      </BrokenView>
    </main>
  )
}

/** Keeps a fault in one room from taking the header away; give it a `key` per room. */
export class RoomBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? <BrokenView /> : this.props.children
  }
}
