import { Boxes } from 'lucide-react'
import { AccessDenied } from '@/components/access-denied.tsx'
import { CardState } from '@/components/card-state.tsx'
import { FailedRows } from '@/components/selection/failed-rows.tsx'
import { NoMatches } from '@/components/no-matches.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { UploadProgress } from '@/components/upload-progress.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { Spinner } from '@/components/ui/feedback/spinner.tsx'
import { type ExampleGroup, ignore } from '../example.tsx'
import { DATABASE_AWAY, useFailed, usePending } from '../queries.ts'

const UPLOAD = {
  id: 'upload',
  file: new File(['solid part'], 'wall-hook.stl'),
  name: 'wall-hook.stl',
  state: 'sending',
  progress: 0.5,
  stored: null,
  error: null,
} as const

const TONES = ['error', 'warning', 'success', 'note'] as const

export const FEEDBACK: readonly ExampleGroup[] = [
  {
    component: 'AlertBox',
    examples: TONES.map((tone) => ({
      name: `Tone ${tone}`,
      show: (
        <AlertBox tone={tone} title="The item is reserved." action={<Button size="sm">Show</Button>}>
          Order PO-00012 needs three pieces.
        </AlertBox>
      ),
    })),
  },
  {
    component: 'ErrorState',
    examples: [
      {
        name: 'With a detail',
        show: <ErrorState message="The items could not be loaded." detail={DATABASE_AWAY} onRetry={ignore} />,
      },
      {
        name: 'Retrying',
        show: <ErrorState message="The items could not be loaded." onRetry={ignore} isRetrying />,
      },
    ],
  },
  { component: 'QueryError', examples: [{ name: 'A failed query', show: <FailedQuery /> }] },
  {
    component: 'CardState',
    examples: [
      { name: 'Loading', show: <LoadingCard /> },
      { name: 'Failed', show: <FailedCard /> },
    ],
  },
  {
    component: 'EmptyState',
    examples: [
      {
        name: 'With actions',
        show: (
          <EmptyState
            icon={<Boxes size={28} strokeWidth={1.4} aria-hidden />}
            title="No items yet"
            actions={<Button variant="primary">Add item</Button>}
          >
            Items are finished parts that you keep in stock.
          </EmptyState>
        ),
      },
    ],
  },
  {
    component: 'NoMatches',
    examples: [
      {
        name: 'Two filters',
        show: (
          <NoMatches
            title="No items match"
            filters={[
              { name: '“hook”', clearLabel: 'Clear search', onClear: ignore },
              { name: 'Low Stock', clearLabel: 'Clear status', onClear: ignore },
            ]}
            onClearAll={ignore}
          />
        ),
      },
    ],
  },
  {
    component: 'FailedRows',
    examples: [
      {
        name: 'Two failures',
        show: (
          <FailedRows
            one="item"
            failed={[
              { id: '1', detail: 'It is reserved for order PO-00012.' },
              { id: '2', detail: 'Somebody else has changed it.' },
            ]}
            nameOf={(id) => (id === '1' ? 'Wall hook' : 'Letter tray')}
          />
        ),
      },
    ],
  },
  {
    component: 'Progress',
    examples: [
      { name: 'Half', show: <Progress label="Uploading" value={0.5} /> },
      { name: 'Done', show: <Progress label="Uploaded" value={1} /> },
    ],
  },
  {
    component: 'UploadProgress',
    examples: [
      { name: 'Under way', show: <UploadProgress upload={UPLOAD} /> },
      { name: 'Waiting', show: <UploadProgress upload={{ ...UPLOAD, state: 'waiting', progress: 0 }} /> },
    ],
  },
  {
    component: 'Skeleton',
    examples: [
      {
        name: 'Lines',
        show: (
          <SkeletonGroup label="Loading the details" className="flex flex-col gap-2">
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-3 w-1/2" />
          </SkeletonGroup>
        ),
      },
    ],
  },
  { component: 'Spinner', examples: [{ name: 'Default size', show: <Spinner /> }] },
  { component: 'AccessDenied', examples: [{ name: 'A closed page', show: <AccessDenied /> }] },
]

function FailedQuery() {
  return <QueryError query={useFailed('query-error')} message="The alerts could not be loaded." />
}

function LoadingCard() {
  const query = usePending('card-state')
  return (
    <Card title="Versions">
      <CardState error="The versions could not be loaded." loading="The versions: loading" query={query} />
    </Card>
  )
}

function FailedCard() {
  const query = useFailed('card-state')
  return (
    <Card title="Versions">
      <CardState error="The versions could not be loaded." loading="The versions: loading" query={query} />
    </Card>
  )
}
