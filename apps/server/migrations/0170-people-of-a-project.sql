-- in steps
-- Owned by module auth: an account belongs to at most one person of a hosted project, also if two servers admit people
-- at the same time.
create unique index concurrently identities_hosted_project on identities (account_id) where provider = 'hosted-project';
