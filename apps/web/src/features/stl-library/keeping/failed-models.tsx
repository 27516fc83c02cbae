import type { BulkResult } from '@pegasus/contracts/stl-keeping'
import { AlertBox } from '@/components/ui/alert-box.tsx'
import { formatNumberOf } from '@/lib/format.ts'
import type { SelectedModel } from './use-selection.ts'

interface FailedModelsProps {
  failed: BulkResult['failed']
  names: ReadonlyMap<string, SelectedModel>
  className?: string
}

/** What a change could not be made for, each with its reason. */
export const FailedModels = ({ failed, names, className = '' }: FailedModelsProps) => (
  <div className={className}>
    <AlertBox title={`${formatNumberOf(failed.length, 'model')} not changed`}>
      <ul className="mt-1 max-h-40 overflow-y-auto">
        {failed.map(({ id, detail }) => (
          <li key={id}>
            <bdi className="font-medium">{names.get(id)?.title ?? id}</bdi>: {detail}
          </li>
        ))}
      </ul>
    </AlertBox>
  </div>
)
