import { hasRole } from '@pegasus/contracts/roles'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Box } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { Link } from 'react-router'
import { ProductBadge, Tag } from '@/components/ui/display/badge.tsx'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { formatTime } from '@/lib/format/format.ts'
import { usePageTitle } from '@/lib/format/page-title.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { EstimateCard } from './estimate-card.tsx'
import { Proposals } from '../model-forms/suggestions.tsx'
import { SimilarCard } from './similar-card.tsx'
import { UsesCard } from './uses-card.tsx'
import { VersionsCard } from './versions-card.tsx'
import { withBin } from '../library-address.ts'
import { LicenseCard } from './license-card.tsx'
import { ModelActions } from './model-actions.tsx'
import { ModelDetails } from './model-details.tsx'
import { ModelMeasures } from './model-measures-card.tsx'
import { ModelWarnings } from './model-warnings-card.tsx'
import { PicturesCard } from './pictures-card.tsx'
import { listedModel, modelQuery } from '../stl-library.queries.ts'
import type { ModelAddresses } from '../stl-library-page.tsx'
import { ModelViewer } from '../viewer/model-viewer.tsx'

interface ModelPageProps {
  id: string
  /** The list as it was left. */
  backTo: string
  addresses: ModelAddresses
}

/** One model: what it looks like, what it measures, what to beware of, and what may be done with it. */
export function ModelPage({ id, backTo, addresses }: ModelPageProps) {
  const client = useQueryClient()
  const {
    data: model,
    error,
    dataUpdatedAt,
    isFetching,
    refetch,
  } = useQuery({
    ...modelQuery(id),
    // From a card there is nothing to wait for: the page stands at the first paint, its picture with it.
    placeholderData: () => listedModel(client, id),
  })
  // The address changes only in its query, so the browser would stay where the list was scrolled to.
  useLayoutEffect(() => {
    // In braces: newer browsers answer a promise here, which would be taken for a clean-up.
    window.scrollTo(0, 0)
  }, [])
  usePageTitle(model?.title)
  if (error instanceof ApiError && error.status === 404) return <ModelNotFound backTo={backTo} />
  return (
    <>
      <Head model={model} backTo={backTo} />
      {error ? (
        <ErrorState
          message={errorMessage(error, 'The model could not be loaded. Please try again.')}
          detail={model && `What is shown is from ${formatTime(dataUpdatedAt)}.`}
          onRetry={refetch}
          isRetrying={isFetching}
          className="mb-4"
        />
      ) : null}
      {model ? <Content model={model} addresses={addresses} /> : error ? null : <ModelSkeleton />}
    </>
  )
}

interface HeadProps {
  model: Model | undefined
  backTo: string
}

function Head({ model, backTo }: HeadProps) {
  return (
    <div className="-mt-1 mb-3.5 flex flex-wrap items-center gap-x-2 gap-y-1.5 phone:*:order-1">
      <BackLink to={backTo} />
      {model ? (
        <>
          <h1 className="min-w-0 text-page font-[620] wrap-anywhere phone:w-full">
            <bdi>{model.title}</bdi>
          </h1>
          {model.is_product ? <ProductBadge isOnSurface /> : null}
          {model.tags.length > 0 ? (
            <ul className="flex min-w-0 flex-wrap gap-1" aria-label="Tags">
              {model.tags.map((tag) => (
                <li key={tag} className="flex min-w-0">
                  <Tag>{tag}</Tag>
                </li>
              ))}
            </ul>
          ) : null}
          <ModelActions model={model} backTo={backTo} />
        </>
      ) : null}
    </div>
  )
}

const BackLink = ({ to }: { to: string }) => (
  <Link to={to} className={`${buttonClass({ variant: 'ghost', size: 'sm' })} -ml-2 phone:order-0!`}>
    <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
    STL Library
  </Link>
)

const COLUMNS = 'grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_372px]'

function Content({ model, addresses }: { model: Model; addresses: ModelAddresses }) {
  const canChange = hasRole(useCurrentUser().role, 'staff')
  return (
    // The second row takes what the side is longer than the view, so that nothing stands apart.
    <div className={`${COLUMNS} lg:grid-rows-[auto_1fr]`}>
      <ModelViewer key={`${model.id} ${model.version}`} model={model} />
      <div className="flex min-w-0 flex-col gap-4 lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <Proposals model={model} canChange={canChange} />
        <ModelWarnings model={model} />
        <ModelMeasures model={model} />
        {model.print_estimate ? (
          <EstimateCard estimate={model.print_estimate} material={model.print_material} />
        ) : null}
        <LicenseCard model={model} />
        <ModelDetails model={model} />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <UsesCard model={model} addresses={addresses} />
        <VersionsCard model={model} canChange={canChange} />
        <SimilarCard model={model} />
        <PicturesCard model={model} />
      </div>
    </div>
  )
}

const ModelSkeleton = () => (
  <SkeletonGroup label="Loading the model" className={COLUMNS}>
    <Skeleton className="h-[540px] rounded-card! phone:h-[58dvh]" />
    <Card title={<Skeleton className="h-4 w-24" />}>
      <div className="flex flex-col gap-3 p-4">
        {Array.from({ length: 8 }, (_, i) => (
          <Skeleton key={i} className="h-4" />
        ))}
      </div>
    </Card>
  </SkeletonGroup>
)

const ModelNotFound = ({ backTo }: { backTo: string }) => (
  <Card className="p-4">
    <EmptyState
      titleLevel={1}
      icon={<Box size={40} strokeWidth={1} aria-hidden />}
      title="This model is not in the library."
      actions={
        <>
          <Link to={backTo} className={buttonClass()}>
            <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
            STL Library
          </Link>
          <Link
            to={`?${withBin(new URLSearchParams({ tab: 'stl-library' }), true)}`}
            className={buttonClass({ variant: 'ghost' })}
          >
            Look in the bin
          </Link>
        </>
      }
    >
      It may have been deleted, or the address may be incomplete.
    </EmptyState>
  </Card>
)
