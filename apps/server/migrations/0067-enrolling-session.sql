-- Owned by module auth: a security key is registered only in the session that enrolled it.
-- Null for recovery codes, and for factors from before this column. The session may have ended.
alter table factors add column enrolled_in uuid;
