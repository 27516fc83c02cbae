import type { UseQueryResult } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { cx } from '@/lib/class-names.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { formatTime } from '@/lib/format/format.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { rememberPage } from '@/lib/session/recent-pages.ts'
import { buttonClass } from '../ui/actions/button.tsx'
import { Card } from '../ui/display/card.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../ui/feedback/skeleton.tsx'
import { BackLink } from '../ui/actions/back-link.tsx'

interface EntityPageProps<Thing> {
  query: Pick<UseQueryResult<Thing>, 'data' | 'error' | 'isFetching' | 'refetch' | 'dataUpdatedAt'>
  /** The list as it was left: its address, its name, and one of its entities inside a sentence: `print job`. */
  list: { to: string; name: string; one: string }
  /** The name of the entity, as the title of the browser's tab. */
  name: (thing: Thing) => string
  /** The title of the page, if it is not the name. */
  title?: (thing: Thing) => ReactNode
  /** State and tags, behind the title. */
  badges?: (thing: Thing) => ReactNode
  /** Buttons at the right end. Call `leave` before a deletion: the page would otherwise load what is gone. */
  actions?: (thing: Thing, leave: () => void) => ReactNode
  /** Whether the buttons take a line of their own on a phone. */
  hasWideActions?: boolean
  /** Says that there is no such entity; by default in general words, with a link to all of them. */
  notFound?: {
    title: string
    text: string
    /** Address of the trash, if the entity may be there. */
    trashTo?: string
  }
  /** The page in the shape of its content, as an EntityColumns of skeletons. */
  skeleton: ReactNode
  children: (thing: Thing) => ReactNode
}

/**
 * The page of one entity in each of its states: loading, failed, not found, or its content below a head with the way
 * back, the title, the badges and the actions. A failed refresh keeps what is shown.
 */
export function EntityPage<Thing>(props: EntityPageProps<Thing>) {
  const { query, list, name, notFound, skeleton, children } = props
  const { one } = list
  const { data: thing, error, isFetching, refetch, dataUpdatedAt } = query
  // Only the query of the address changes, so the browser would keep the scroll position of the list.
  useLayoutEffect(() => {
    // In braces: newer browsers return a promise here, which React would take for a clean-up.
    window.scrollTo(0, 0)
  }, [])
  const title = thing === undefined ? undefined : name(thing)
  usePageTitle(title)
  useEffect(() => {
    if (title !== undefined) rememberPage(title)
  }, [title])
  if (error instanceof ApiError && error.status === 404)
    return <NotFound list={list} {...(notFound && { notFound })} />
  const sentence = error ? errorMessage(error, 'Please try again.') : ''
  return (
    <>
      <Head {...props} thing={thing} />
      {error ? (
        <ErrorState
          message={`The ${one} could not be ${thing ? 'refreshed' : 'loaded'}.`}
          detail={thing ? `${sentence} What is shown is from ${formatTime(dataUpdatedAt)}.` : sentence}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          className="mb-4"
        />
      ) : null}
      {thing ? (
        children(thing)
      ) : error ? null : (
        <SkeletonGroup label={`Loading the ${one}`}>{skeleton}</SkeletonGroup>
      )}
    </>
  )
}

type HeadProps<Thing> = Pick<
  EntityPageProps<Thing>,
  'list' | 'name' | 'title' | 'badges' | 'actions' | 'hasWideActions'
> & { thing: Thing | undefined }

function Head<Thing>({ thing, list, name, title, badges, actions, hasWideActions }: HeadProps<Thing>) {
  const navigate = useNavigate()
  const leave = () => void navigate(list.to, { replace: true, flushSync: true })
  return (
    <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-x-2 gap-y-1.5">
      <BackLink to={list.to}>{list.name}</BackLink>
      {thing ? (
        <>
          <h1 className="min-w-0 text-page font-[620] wrap-anywhere phone:order-1 phone:w-full">
            {title ? title(thing) : <bdi>{name(thing)}</bdi>}
          </h1>
          {badges ? <div className="contents phone:*:order-1">{badges(thing)}</div> : null}
          {actions ? (
            <div
              className={cx(
                'ml-auto flex flex-wrap items-center gap-1.5',
                hasWideActions && 'phone:order-1 phone:ml-0 phone:w-full phone:[&>:last-child]:ml-auto',
              )}
            >
              {actions(thing, leave)}
            </div>
          ) : null}
        </>
      ) : null}
    </div>
  )
}

type NotFoundProps = Pick<EntityPageProps<never>, 'list' | 'notFound'>

function NotFound({ list, notFound }: NotFoundProps) {
  const { one } = list
  const title = notFound?.title ?? `${one.charAt(0).toUpperCase()}${one.slice(1)} not found`
  const text = notFound?.text ?? `There is no ${one} at this address. It may have been deleted.`
  return (
    <Card className="p-4">
      <EmptyState
        icon={<SearchX size={24} strokeWidth={1.6} aria-hidden />}
        title={title}
        titleLevel={1}
        actions={
          <>
            <Link to={list.to} className={buttonClass()}>
              {notFound ? list.name : `All ${one}s`}
            </Link>
            {notFound?.trashTo ? (
              <Link to={notFound.trashTo} className={buttonClass({ variant: 'ghost' })}>
                Look in the trash
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
  /** Whether the second column comes first on a phone. */
  isAsideFirst?: boolean
  className?: string
  children: ReactNode
}

/** The content of an entity's page: a wide column and a narrow one, or one below the other. */
export const EntityColumns = ({ isAsideFirst = false, className, children }: EntityColumnsProps) => (
  <div
    className={cx(
      'grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_372px]',
      isAsideFirst && 'phone:[&>:last-child]:order-first',
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
  /** Content above the lines, such as the skeleton of a picture. */
  picture?: ReactNode
}

/** A card before its content is known. */
export const SkeletonCard = ({ lines, lineHeight = 'h-3', picture }: SkeletonCardProps) => (
  <div className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4">
    {picture}
    {Array.from({ length: lines }, (_, index) => (
      <Skeleton key={index} className={lineHeight} />
    ))}
  </div>
)

/** The page of an entity before it is known: a wide card of lines, and its details below a picture of this shape. */
export const EntitySkeleton = ({ lines, picture }: { lines: number; picture: string }) => (
  <EntityColumns isAsideFirst>
    <SkeletonCard lines={lines} lineHeight="h-9" />
    <SkeletonCard lines={6} picture={<Skeleton className={picture} />} />
  </EntityColumns>
)
