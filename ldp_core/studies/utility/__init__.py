"""What epsilon costs: federated training with and without privacy."""
