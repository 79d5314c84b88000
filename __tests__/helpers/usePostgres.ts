// In the tests of this project every service keeps its data in a schema of its own on the server for tests.
process.env['SERVICE_TEST_POSTGRES'] = process.env['POSTGRES_FOR_TESTS'];
