import type { Slicing } from '@pegasus/contracts/slices/slicing'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@/components/ui/actions/button.tsx'
import { slicingsQuery, useSlicing } from './slicing.queries.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** Shows the running slicings, and the reason if the last one failed. */
export function SlicingRows({ modelId, canChange }: { modelId: string; canChange: boolean }) {
  const { data } = useQuery(slicingsQuery(modelId))
  const [last] = data ?? []
  const shown =
    data?.filter((run) => run.state === 'pending' || (run === last && run.state === 'failed')) ?? []
  return shown.map((run) => <SlicingRow key={run.id} run={run} modelId={modelId} canChange={canChange} />)
}

function SlicingRow({ run, modelId, canChange }: { run: Slicing; modelId: string; canChange: boolean }) {
  const { cancel } = useSlicing(modelId)
  const { profile_name: profile, pieces, state, detail } = run
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          <bdi className="block truncate">{profile}</bdi>
        </p>
        {state === 'pending' ? (
          <p className="text-label text-ink-2">
            {t('Slicing {pieces, plural, one {# piece} other {# pieces}}', { pieces })}
          </p>
        ) : (
          <p role="alert" className="text-label text-red-ink wrap-anywhere">
            {serverText(detail ?? '')}
          </p>
        )}
      </div>
      {state === 'pending' && canChange ? (
        <Button
          size="sm"
          isPending={cancel.isPending}
          aria-label={t('Cancel the slicing run with {profile}', { profile })}
          onClick={() => cancel.mutate(run)}
        >
          {t('Cancel')}
        </Button>
      ) : null}
    </li>
  )
}
