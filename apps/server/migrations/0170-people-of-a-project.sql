-- Owned by module auth: an account belongs to at most one person of a hosted project, also if two servers admit people
-- at the same time. Where they have already linked several people to one account, the first of them keeps it; each of
-- the others gets an own account at the next sign-in. All of it happens in one transaction, so that no server can link
-- another person between the cleanup and the index.

-- may block: the table has a few rows for each person who signs in, so that all of this takes milliseconds
lock table identities in share row exclusive mode;
-- An interrupted attempt to build the index concurrently may have left it invalid.
drop index if exists identities_hosted_project;
-- may block: the table is locked anyway, and only people who share an account are affected
delete from identities where id in (
  select id from (
    select id, row_number() over (partition by account_id order by created_at, id) as nth
    from identities where provider = 'hosted-project') people
  where nth > 1);
-- may block: the table has a few rows for each person who signs in
create unique index identities_hosted_project on identities (account_id) where provider = 'hosted-project';
