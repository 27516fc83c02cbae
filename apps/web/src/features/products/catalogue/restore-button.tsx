import type { Product } from '@pegasus/contracts/products/products'
import { Button } from '@/components/ui/actions/button.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useRestoreProduct } from '../products.queries.ts'

/** Restores a product from the trash. */
export function RestoreButton({ product: { id, name } }: { product: Product }) {
  const restore = useRestoreProduct()
  return (
    <Button
      size="sm"
      isPending={restore.isPending}
      aria-label={`Restore ${name}`}
      onClick={() =>
        restore.mutate(id, {
          onSuccess: () => toast({ title: `“${name}” restored` }),
          onError: (error) => toast({ title: errorMessage(error, 'That did not work. Please try again.') }),
        })
      }
    >
      Restore
    </Button>
  )
}
