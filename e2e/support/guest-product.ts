import { bearer, post, signIn } from './accounts.ts'
import { OWNER, type Product, startProduct } from './harness.ts'

/** Starts a product whose hosted project is the given product. */
export async function startGuest(project: Product): Promise<Product> {
  const owner = await signIn(project.url, 'owner', OWNER.email, OWNER.password)
  const makeKey = async (kind: string): Promise<string> => {
    const wanted = { kind, label: `Guest ${kind}` }
    return (await post<{ key: string }>(`${project.url}/api/service-keys`, wanted, bearer(owner))).key
  }
  return startProduct({
    SUPABASE_URL: project.url,
    SUPABASE_ANON_KEY: await makeKey('publishable'),
    SUPABASE_SERVICE_ROLE_KEY: await makeKey('secret'),
  })
}
