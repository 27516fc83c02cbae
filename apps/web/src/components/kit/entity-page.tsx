import type { UseQueryResult } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link, useNavigate } from 'react-router'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { cx } from '@/lib/class-names.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { formatTime } from '@/lib/format/format.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { noteLeft } from '@/lib/live-events/left-entities.ts'
import { rememberPage } from '@/lib/session/recent-pages.ts'
import { buttonClass } from '../ui/actions/button.tsx'
import { Card } from '../ui/display/card.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../ui/feedback/skeleton.tsx'
import { BackLink } from '../ui/actions/back-link.tsx'
import { InDock } from '../ui/overlays/dock.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { type Noun, NOUNS } from '@/lib/i18n/nouns.ts'

interface EntityPageProps<Thing> {
  query: Pick<UseQueryResult<Thing>, 'data' | 'error' | 'isFetching' | 'refetch' | 'dataUpdatedAt'>
  /** The list that the page belongs to: its address with the last filters, its name, and what it contains. */
  list: { to: string; name: string; one: Noun }
  /** Returns the name of the entity, for the title of the browser tab. */
  name: (thing: Thing) => string
  /** Returns the title of the page, if it is not the name. */
  title?: (thing: Thing) => ReactNode
  /** Renders status and tags, after the title. */
  badges?: (thing: Thing) => ReactNode
  /**
   * Renders the buttons at the right end, or on a phone above the bottom bar, within thumb's reach. Call
   * `leave` before a deletion, because the page would otherwise try to load the deleted entity.
   */
  actions?: (thing: Thing, leave: () => void) => ReactNode
  /**
   * Returns false while the actions are only a menu. On a phone, the menu is then in the head, because a bar above the
   * bottom bar would contain nothing else.
   */
  hasButtons?: (thing: Thing) => boolean
  /** Texts for an entity that does not exist. The default is a general text with a link to the list. */
  notFound?: {
    title: string
    text: string
    /** Address of the trash. Set it if the entity may be there. */
    trashTo?: string
  }
  /** Placeholder in the shape of the content: an EntityColumns of skeletons. */
  skeleton: ReactNode
  children: (thing: Thing) => ReactNode
}

/**
 * The page of one entity in each of its states: loading, failed, not found, or loaded. The head has a back
 * link, the title, the badges and the actions. If a refresh fails, the page keeps its content.
 */
export function EntityPage<Thing>(props: EntityPageProps<Thing>) {
  const { query, list, name, notFound, skeleton, children } = props
  const { one } = NOUNS[list.one]
  const { data: thing, error, isFetching, refetch, dataUpdatedAt } = query
  // Only the query of the URL changes, so the browser would keep the list's scroll position.
  useLayoutEffect(() => {
    // The braces matter, because newer browsers return a promise here, which React would treat as the clean-up
    // function.
    window.scrollTo(0, 0)
  }, [])
  const title = thing === undefined ? undefined : name(thing)
  usePageTitle(title)
  useEffect(() => {
    if (title !== undefined) rememberPage(title)
  }, [title])
  if (error instanceof ApiError && error.status === 404)
    return <NotFound list={list} {...(notFound && { notFound })} />
  const sentence = error ? errorMessage(error, t('Please try again.')) : ''
  return (
    <>
      <Head {...props} thing={thing} />
      {error ? (
        <ErrorState
          message={
            thing
              ? t('The {one} could not be refreshed.', { one })
              : t('The {one} could not be loaded.', { one })
          }
          detail={
            thing
              ? t('{sentence} The data below is from {dataUpdatedAt}.', {
                  sentence,
                  dataUpdatedAt: formatTime(dataUpdatedAt),
                })
              : sentence
          }
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          className="mb-4"
        />
      ) : null}
      {thing ? (
        children(thing)
      ) : error ? null : (
        <SkeletonGroup label={t('Loading the {one}', { one })}>{skeleton}</SkeletonGroup>
      )}
    </>
  )
}

type HeadProps<Thing> = Pick<
  EntityPageProps<Thing>,
  'list' | 'name' | 'title' | 'badges' | 'actions' | 'hasButtons'
> & {
  thing: Thing | undefined
}

/**
 * Shows the actions of an entity on a phone, within thumb's reach. Buttons with long labels use a second row. The bar is
 * hidden if there are no actions.
 */
const ThumbBar = ({ ref }: { ref: Ref<HTMLDivElement> }) => (
  <div
    ref={ref}
    role="group"
    aria-label={t('Actions')}
    // The bar keeps clear of the button that protrudes from the bottom bar.
    className="flex max-w-full flex-wrap items-center justify-end gap-1.5 rounded-card border border-line-2 bg-surface p-1.5 shadow-float has-[>div:empty]:hidden has-[>div>span:empty:only-child]:hidden phone:mx-3 phone:only:mb-6 [&_button]:max-w-full [&_button:not([aria-haspopup=menu])]:grow [&>div>span]:grow"
  />
)

/**
 * Renders the content in an element that moves to the place with `placeRef`. The content keeps its state, such as an
 * open dialog with typed values, when the place changes, for example because somebody turns a phone.
 */
function useMovable(content: ReactNode): {
  portal: ReactNode
  placeRef: (place: HTMLElement | null) => void
} {
  const [element] = useState(() => {
    const created = document.createElement('div')
    created.className = 'contents'
    return created
  })
  const [placeRef] = useState(() => (place: HTMLElement | null) => place?.append(element))
  return { portal: createPortal(content, element), placeRef }
}

const hasId = (thing: unknown): thing is { id: string } =>
  typeof thing === 'object' && thing !== null && 'id' in thing && typeof thing.id === 'string'

function Head<Thing>({ thing, list, name, title, badges, actions, hasButtons }: HeadProps<Thing>) {
  const isPhone = useIsPhone()
  const isInBar = isPhone && (thing === undefined || (hasButtons?.(thing) ?? true))
  const navigate = useNavigate()
  const leave = () => {
    if (hasId(thing)) noteLeft(thing.id)
    void navigate(list.to, { replace: true, flushSync: true })
  }
  const { portal, placeRef } = useMovable(thing && actions?.(thing, leave))
  return (
    <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-x-2 gap-y-1.5">
      <BackLink to={list.to}>{list.name}</BackLink>
      {thing ? (
        <>
          <h1 className="min-w-0 text-page font-[620] wrap-anywhere phone:order-1 phone:w-full">
            {title ? title(thing) : <bdi>{name(thing)}</bdi>}
          </h1>
          {badges ? <div className="contents phone:*:order-1">{badges(thing)}</div> : null}
          {actions && isInBar ? (
            <InDock>
              <ThumbBar ref={placeRef} />
            </InDock>
          ) : null}
          {actions && !isInBar ? (
            <div ref={placeRef} className="ms-auto flex flex-wrap items-center gap-1.5" />
          ) : null}
          {portal}
        </>
      ) : null}
    </div>
  )
}

type NotFoundProps = Pick<EntityPageProps<never>, 'list' | 'notFound'>

function NotFound({ list, notFound }: NotFoundProps) {
  const { one, ...texts } = NOUNS[list.one]
  const title = notFound?.title ?? texts.notFound
  const text = notFound?.text ?? t('There is no {one} at this address. It may have been deleted.', { one })
  return (
    <Card className="p-4">
      <EmptyState
        icon={<SearchX size={24} strokeWidth={1.6} aria-hidden />}
        title={title}
        titleLevel={1}
        actions={
          <>
            <Link to={list.to} className={buttonClass()}>
              {notFound ? list.name : texts.all}
            </Link>
            {notFound?.trashTo ? (
              <Link to={notFound.trashTo} className={buttonClass({ variant: 'ghost' })}>
                {t('Look in the trash')}
              </Link>
            ) : null}
          </>
        }
      >
        {text}
      </EmptyState>
    </Card>
  )
}

interface EntityColumnsProps {
  className?: string
  children: ReactNode
}

/** The content of an entity's page: a wide and a narrow column, which are stacked if there is no room. */
export const EntityColumns = ({ className, children }: EntityColumnsProps) => (
  <div
    className={cx(
      'grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_372px]',
      className,
    )}
  >
    {children}
  </div>
)

interface SkeletonCardProps {
  lines: number
  /** Height of a line, as a class: `h-9`. */
  lineHeight?: string
  /** Shown above the lines, such as the skeleton of a picture. */
  picture?: ReactNode
}

/** Placeholder for a card that is loading. */
export const SkeletonCard = ({ lines, lineHeight = 'h-3', picture }: SkeletonCardProps) => (
  <div className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4">
    {picture}
    {Array.from({ length: lines }, (_, index) => (
      <Skeleton key={index} className={lineHeight} />
    ))}
  </div>
)

/** Placeholder for an entity's page with an EntityOverview that is loading. */
export const OverviewSkeleton = () => (
  <>
    <Skeleton className="mb-4 h-80 rounded-card! phone:h-[30rem]" />
    <div className="grid gap-4 lg:grid-cols-2">
      <SkeletonCard lines={3} lineHeight="h-9" />
      <SkeletonCard lines={3} lineHeight="h-9" />
    </div>
  </>
)
