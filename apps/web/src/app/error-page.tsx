import { TriangleAlert } from 'lucide-react'
import { Component, type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { Button, buttonClass } from '../components/ui/actions/button.tsx'
import { EmptyState } from '../components/ui/feedback/empty-state.tsx'
import { hasNewVersion } from '../lib/browser/app-version.ts'
import { LoadingView } from './loading-view.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Matches the messages with which browsers report that a part of the app could not be loaded. */
const LOAD_FAILURE = /dynamically imported module|importing a module script failed|load module script/i

const isLoadFailure = (error: unknown): boolean =>
  error instanceof TypeError && LOAD_FAILURE.test(error.message)

interface Fault {
  title: string
  text: string
  /** Label of the button that reloads the page. */
  reload: string
}

const BROKEN: Fault = {
  title: t('This page ran into an error'),
  text: t('Nothing that was saved is lost. Reloading usually helps.'),
  reload: t('Reload'),
}

const NEW_VERSION: Fault = {
  title: t('A new version is available'),
  text: t(
    'Pegasus Ops has been updated since this page was opened. Reload it to continue. Nothing that was saved is lost.',
  ),
  reload: t('Reload'),
}

const NOT_LOADED: Fault = {
  title: t('This part could not be loaded'),
  text: t('Check the connection. Nothing that was saved is lost.'),
  reload: t('Try again'),
}

/** The fault that is shown while the cause is looked up, so that a click gets an immediate response. */
export const NOT_KNOWN_YET: Fault = {
  ...NOT_LOADED,
  text: t('The app is looking for the cause. Nothing that was saved is lost.'),
}

const UNREACHABLE: Fault = { ...NOT_LOADED, title: t('The server cannot be reached') }

/**
 * Returns the cause of a failure; null until the cause is known. A part may fail to load because an update
 * has removed the files that an older page needs.
 */
export function useFault(error: unknown): Fault | null {
  const isLoad = isLoadFailure(error)
  const [found, setFound] = useState<Fault | null>(null)
  useEffect(() => {
    if (!isLoad) return
    hasNewVersion().then(
      (isNew) => setFound(isNew ? NEW_VERSION : NOT_LOADED),
      () => setFound(UNREACHABLE),
    )
  }, [isLoad])
  return isLoad ? found : BROKEN
}

export const ReloadButton = ({ children }: { children: ReactNode }) => (
  <Button variant="primary" onClick={() => location.reload()}>
    {children}
  </Button>
)

function BrokenView({ error, children }: { error: unknown; children?: ReactNode }) {
  const fault = useFault(error)
  if (!fault) return <LoadingView />
  return (
    <div role="alert" className="grid min-h-80 place-items-center p-4">
      <EmptyState
        titleLevel={1}
        icon={<TriangleAlert size={24} strokeWidth={1.6} aria-hidden />}
        title={fault.title}
        actions={
          <>
            <ReloadButton>{fault.reload}</ReloadButton>
            {children}
          </>
        }
      >
        <p>{fault.text}</p>
      </EmptyState>
    </div>
  )
}

interface BoundaryProps {
  /** Is rendered instead of the children. `onLeave` renders the children again. */
  fallback: (error: unknown, onLeave: () => void) => ReactNode
  children: ReactNode
}

export class Boundary extends Component<BoundaryProps, { failure: { error: unknown } | null }> {
  override state: { failure: { error: unknown } | null } = { failure: null }

  static getDerivedStateFromError(error: unknown): { failure: { error: unknown } } {
    return { failure: { error } }
  }

  override render() {
    const { failure } = this.state
    if (!failure) return this.props.children
    return this.props.fallback(failure.error, () => this.setState({ failure: null }))
  }
}

/**
 * Replaces the whole app if an error occurs outside any page. When the URL changes, for example after Back,
 * the app is rendered again.
 */
export function AppBoundary({ children }: { children: ReactNode }) {
  return (
    <Boundary fallback={(error, leave) => <ErrorPage error={error} onLeave={leave} />}>{children}</Boundary>
  )
}

function ErrorPage({ error, onLeave }: { error: unknown; onLeave: () => void }) {
  const { key } = useLocation()
  const [failedAt] = useState(key)
  useEffect(() => {
    if (key !== failedAt) onLeave()
  }, [key, failedAt, onLeave])
  return (
    <main className="min-h-dvh">
      <BrokenView error={error}>
        <a href="/" className={buttonClass()}>
          {t('Go to the dashboard')}
        </a>
      </BrokenView>
    </main>
  )
}

/** Replaces only the page if it fails, and keeps the header. Give it a `key` per page. */
export const PageBoundary = ({ children }: { children: ReactNode }) => (
  <Boundary fallback={(error) => <BrokenView error={error} />}>{children}</Boundary>
)
